export default Seat => {
  Seat.validatesUniquenessOf('row', { scopedTo: ['show'] })
  Seat.validatesUniquenessOf('code')
  Seat.validatesUniquenessOf('holder', { ignoreCase: true })
}
