import type { pushModule } from '../dist/push.js' with { 'resolution-mode': 'import' }

declare const push: typeof pushModule
export = push
