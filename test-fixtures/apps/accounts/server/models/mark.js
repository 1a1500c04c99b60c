export default Mark => {
  Mark.validate('since', function (fail) { if (this.since < 0) fail() }, { message: 'is before the beginning' })
}
