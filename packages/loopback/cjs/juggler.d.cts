export * from '../dist/juggler.js'
