import type { remoteModule } from '../dist/connector-remote.js' with { 'resolution-mode': 'import' }

declare const remote: typeof remoteModule
export = remote
