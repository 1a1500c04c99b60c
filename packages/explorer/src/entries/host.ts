/**
 * `@fastback/explorer/host`: for packages that serve a page of their own beside the explorer's, made of the same
 * modules (`@fastback/explorer/page`).
 */
export { ModelsFile } from '../description.js'
export { explorerFiles, PageFiles, pageFilePaths } from '../page-files.js'
export { sendListed, servePage } from '../serve-page.js'
export { sendFile } from '../served-file.js'
