import type { boot as Boot } from '../dist/boot.js' with { 'resolution-mode': 'import' }

declare const boot: typeof Boot
export = boot
