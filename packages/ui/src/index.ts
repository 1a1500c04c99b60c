/**
 * `@fastback/ui`: the page of the explorer, the admin page and the studio, and what a server needs to send it. Packages
 * that serve a part of it say which in `ui.json` (`PageConfig`).
 */
export { viewNames, type PageConfig, type ViewName } from './contracts/page-config.js'
export { PageFiles, pageFilePaths } from './server/page-files.js'
export { sendListed, servePage } from './server/serve-page.js'
export { sendFile, textFile, type ServedFile } from './server/served-file.js'
export { uiFiles } from './server/ui-files.js'
