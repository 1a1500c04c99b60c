/**
 * Code of the application may ask for what is hidden: with its own options it does, with those of the request it is as
 * bound as the caller.
 */
export default Person => {
  Person.ofPin = async pin => await Person.count({ pin })
  Person.remoteMethod('ofPin', { accepts: { arg: 'pin', type: 'string' }, returns: { arg: 'count', type: 'number' }, http: { verb: 'get' } })
  Person.ofPinAsCaller = async (pin, options) => await Person.count({ pin }, options)
  Person.remoteMethod('ofPinAsCaller', {
    accepts: [{ arg: 'pin', type: 'string' }, { arg: 'options', type: 'object', http: 'optionsFromRequest' }], returns: { arg: 'count', type: 'number' }, http: { verb: 'get' }
  })
}
