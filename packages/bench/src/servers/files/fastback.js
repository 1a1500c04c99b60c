import { fileServer } from './files.js'

export default fileServer('fastback', { upload: '/api/boxes/box/upload', download: '/api/boxes/box/download' })
