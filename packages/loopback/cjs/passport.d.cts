import type { passportModule } from '../dist/passport.js' with { 'resolution-mode': 'import' }

declare const passport: typeof passportModule
export = passport
