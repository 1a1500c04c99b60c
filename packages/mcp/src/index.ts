/** `@fastback/mcp`: a Model Context Protocol server over the shared methods of models. */
export { mcp, mcp as default } from './plugin.js'
export { defaultLimits, type McpLimits, type McpOptions, type PromptOptions, type PromptText } from './options.js'
export * as errors from './errors.js'
