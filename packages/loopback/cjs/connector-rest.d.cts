import type { restModule } from '../dist/connector-rest.js' with { 'resolution-mode': 'import' }

declare const rest: typeof restModule
export = rest
