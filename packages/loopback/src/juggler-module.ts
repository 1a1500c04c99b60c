/**
 * What `import` of `loopback-datasource-juggler` gets: the names, and all of them as the default export, as a package of
 * CommonJS has it.
 */
export * from './juggler.js'
export * as default from './juggler.js'
