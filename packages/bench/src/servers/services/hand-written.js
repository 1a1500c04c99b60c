import { serviceServer } from './service.js'

export default serviceServer('hand-written')
