import type { connectorModule } from '../dist/connector.js' with { 'resolution-mode': 'import' }

declare const connector: typeof connectorModule
export = connector
