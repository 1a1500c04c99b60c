/** Code that hands on the options of the request is bound as the caller is. */
export default Group => {
  const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' }
  Group.updateAsCaller = async (data, options) => await Group.updateAll(undefined, data, options)
  Group.remoteMethod('updateAsCaller', { accepts: [{ arg: 'data', type: 'object', http: { source: 'body' } }, options], returns: { arg: 'info', type: 'object', root: true } })
  Group.removeAsCaller = async options => await Group.destroyAll(undefined, options)
  Group.remoteMethod('removeAsCaller', { accepts: [options], returns: { arg: 'info', type: 'object', root: true } })
}
