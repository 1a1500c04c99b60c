/** Entity tags (RFC 9110, section 8.8.3): what they are made of, and how lists of them are read and compared. */
import { sha256 } from '@fastback/core/connector'
import { badRequest } from '../errors/request-errors.js'

export interface EntityTag {
  readonly isWeak: boolean
  /** What stands between the quotes. */
  readonly opaque: string
}

/** A header with tags: `*`, or a list. */
export type TagList = '*' | readonly EntityTag[]

/** One tag of a list and what comes after it. Nothing in it can be matched in two ways. */
const element = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y

/**
 * The tags of `If-Match` or `If-None-Match`; undefined for what is no list of tags.
 *
 * ```js
 * readTags('"1", W/"2"') // [{ isWeak: false, opaque: '1' }, { isWeak: true, opaque: '2' }]
 * readTags('*') // '*'
 * ```
 */
export function readTags (header: string): TagList | undefined {
  if (header.trim() === '*') return '*'
  const tags: EntityTag[] = []
  element.lastIndex = 0
  while (element.lastIndex < header.length) {
    const found = element.exec(header)
    if (found === null) return undefined
    tags.push({ isWeak: found[1] !== undefined, opaque: found[2] as string })
    // The pattern begins anew after a tag at the very end.
    if (found.index + found[0].length >= header.length) break
  }
  return tags.length === 0 ? undefined : tags
}

/**
 * The same of a header that a write depends on.
 * @throws RequestError 400 INVALID_ENTITY_TAG
 */
export function mustReadTags (name: string, header: string): TagList {
  const tags = readTags(header)
  if (tags !== undefined) return tags
  throw badRequest(
    `The header ${name} is * or a list of entity tags in double quotes, as ETag had them.`,
    'INVALID_ENTITY_TAG', { header: name }
  )
}

/** The tag of a row with a version; with a text, of this one of several forms that the row is sent in. */
export const versionTag = (version: number, text?: string): string =>
  text === undefined ? `"${String(version)}"` : `"${String(version)}-${hashOf(text)}"`

/** The tag of a text of a row that has no version. */
export const textTag = (text: string): string => `"h${hashOf(text)}"`

const hashOf = (text: string): string => sha256(text).slice(0, 22)

/** The versions in strong tags: a write depends on the row, in whatever form its client saw it. */
export const versionsIn = (tags: readonly EntityTag[]): number[] => tags.flatMap(({ isWeak, opaque }) => {
  const version = isWeak ? undefined : /^(\d{1,16})(?:-[\w-]{22})?$/.exec(opaque)?.[1]
  return version === undefined ? [] : [Number(version)]
}).filter(version => Number.isSafeInteger(version))

/** Whether a list of `If-None-Match` has a tag: it makes no difference there whether tags are weak. */
export const hasTag = (tags: TagList | undefined, tag: string): boolean =>
  tags === '*' || (tags !== undefined && tags.some(({ opaque }) => `"${opaque}"` === tag))

/** Whether a list of `If-Match` has a tag: weak ones never match. */
export const hasStrongTag = (tags: readonly EntityTag[], tag: string): boolean =>
  tags.some(({ isWeak, opaque }) => !isWeak && `"${opaque}"` === tag)
