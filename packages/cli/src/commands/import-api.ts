import { commandOf } from '../add/generator.js'
import { importApiGenerator } from '../import-api.js'

export const importApiCommand = commandOf(importApiGenerator)
