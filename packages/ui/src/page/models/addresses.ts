import { addressOf } from '../router.js'

export const modelAddress = (name: string): string => addressOf('models', [name])
