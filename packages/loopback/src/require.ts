/**
 * What `require('loopback')` gets: the module, and from then on LoopBack's other names lead to this package as well, so
 * that one line of an application's package.json changes all of them.
 */
import { loopback } from './index.js'
import { moduleNames } from './module-names.js'

moduleNames.map()

export default loopback
