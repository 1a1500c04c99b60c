import { before } from '../rest/before.js'
import fastback from './fastback.js'

export default before(fastback)
