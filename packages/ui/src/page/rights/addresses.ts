import { addressOf } from '../router.js'

export const rightsAddress = (
  model: string,
  tab?: string,
  query: Readonly<Record<string, string | undefined>> = {}
): string =>
  addressOf('rights', tab === undefined ? [model] : [model, tab], query)
