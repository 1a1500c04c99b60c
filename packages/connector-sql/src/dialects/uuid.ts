/** UUIDs as databases write them, and where there is room for one. */

export const isUuid = (value: unknown): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value as string)

/** Why a column of UUIDs cannot store a value; databases take capitals as well, and write small letters. */
export const refusesUuid = (value: unknown): string | undefined =>
  isUuid(String(value).toLowerCase()) ? undefined : 'is not a UUID'

const uuidLength = 36

/** Whether a type of texts takes a UUID: `text`, `varchar(40)`. */
export function canStoreUuid (declaredType: string): boolean {
  const size = /\((\d+)\)/.exec(declaredType)?.[1]
  if (size !== undefined) return /char/i.test(declaredType) && Number(size) >= uuidLength
  return /text|varchar|varying/i.test(declaredType)
}
