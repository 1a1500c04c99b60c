import type { soapModule } from '../dist/connector-soap.js' with { 'resolution-mode': 'import' }

declare const soap: typeof soapModule
export = soap
