/** `move` changes the address; `moveNamed` does the same, and names the scope that a token needs for it. */
export default Customer => {
  const move = async (email, options) => {
    const me = await Customer.findById(options.accessToken.userId)
    await me.patchAttributes({ email }, options)
    return { email: me.email }
  }
  const accepts = [{ arg: 'email', type: 'string', required: true }, { arg: 'options', type: 'object', http: 'optionsFromRequest' }]
  const returns = { arg: 'moved', type: 'object', root: true }
  Object.assign(Customer, { move, moveNamed: move })
  Customer.remoteMethod('move', { accepts, returns })
  Customer.remoteMethod('moveNamed', { accepts, returns, accessScopes: ['account'] })
}
