import type { oauth2Module } from '../dist/oauth2.js' with { 'resolution-mode': 'import' }

declare const oauth2: typeof oauth2Module
export = oauth2
