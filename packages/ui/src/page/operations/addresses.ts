/** Where the pages of the API part are. */
import type { Action } from '../api/description.js'
import { addressOf } from '../router.js'

export const apiAddress = (tag: string): string => addressOf('api', [tag])

export const operationAddress = ({ tags, operationId }: Action): string => addressOf('api', [tags[0] ?? '', operationId])

export const schemaAddress = (name: string): string => addressOf('api', ['~schemas', name])
