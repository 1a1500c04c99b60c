/** `@fastback/mcp/stdio`: the endpoint of an application for one client, over the standard input and output. */
export { serveStdio, type StdioOptions } from './serve-stdio.js'
export { stdioExtension, stdioPath, type StdioEndpoint } from './extension.js'
