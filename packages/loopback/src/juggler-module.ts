/**
 * What `import` of `loopback-datasource-juggler` gets: the names, and all of them as the default export, as it is with
 * a package of CommonJS.
 */
export * from './juggler.js'
export * as default from './juggler.js'
