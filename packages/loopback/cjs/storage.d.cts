import type { storageModule } from '../dist/storage.js' with { 'resolution-mode': 'import' }

declare const storage: typeof storageModule
export = storage
