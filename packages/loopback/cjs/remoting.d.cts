import type { RemoteObjects as Remotes } from '../dist/remoting.js' with { 'resolution-mode': 'import' }

declare const RemoteObjects: typeof Remotes
export = RemoteObjects
