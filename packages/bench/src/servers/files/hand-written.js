import { fileServer } from './files.js'

export default fileServer('hand-written', { upload: '/upload', download: '/download' })
