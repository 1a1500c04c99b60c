import type { Loopback } from '../dist/loopback.js' with { 'resolution-mode': 'import' }

declare const loopback: Loopback
export = loopback
