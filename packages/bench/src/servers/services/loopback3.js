import { join } from 'node:path'
import { notInstalled, PEERS_FOLDER } from '../../paths.js'
import { serviceServer } from './service.js'

export default serviceServer('loopback3', {
  args: ['service.js'], cwd: join(PEERS_FOLDER, 'loopback3'), missing: () => notInstalled('loopback3')
})
