/** What a form sends, and where what the API found wrong belongs. */
import { batch } from '@preact/signals'
import type { RefusedError } from '../../api/client.js'
import { valueOf, type Row } from '../models/properties.js'
import { FieldError, type Draft } from './draft.js'

export interface FormValues {
  readonly values: Record<string, unknown>
  readonly files: ReadonlyArray<readonly [string, File]>
}

/**
 * The values to send: of a row that is there, those that changed. Undefined where one cannot be sent, which is said at
 * its field.
 * @param row the row as it is; undefined for a new one
 */
export function formValues (drafts: readonly Draft[], row: Row | undefined): FormValues | undefined {
  let isFaulty = false
  const isSame = ([name, value]: [string, unknown]): boolean =>
    row !== undefined && JSON.stringify(value ?? null) === JSON.stringify(valueOf(row, name) ?? null)
  const values = batch(() => drafts.flatMap((draft): Array<[string, unknown]> => {
    if (Object.keys(draft.errors.peek()).length > 0) draft.errors.value = {}
    try {
      const entries = Object.entries(draft.values())
      // A file that is sent takes the place of the one that was there.
      const isReplaced = draft.files().length > 0 && !entries.some(([, value]) => Array.isArray(value))
      return entries.every(isSame) || isReplaced ? [] : entries.filter(([, value]) => value !== undefined)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      draft.errors.value = { [draft.properties[0] as string]: error.message }
      isFaulty = true
      return []
    }
  }))
  const files = drafts.flatMap(draft => draft.files().map(file => [draft.properties[0] as string, file] as const))
  return isFaulty ? undefined : { values: Object.fromEntries(values), files }
}

/** Whether somebody changed something that is not saved. */
export function isChanged (drafts: readonly Draft[], row: Row | undefined, begun: Row): boolean {
  return drafts.some(draft => {
    try {
      return draft.files().length > 0 || Object.entries(draft.values()).some(([name, value]) =>
        JSON.stringify(value ?? null) !== JSON.stringify(valueOf(row ?? begun, name) ?? null))
    } catch {
      return true
    }
  })
}

/** With files a form, in which the row is JSON. */
export function bodyOf ({ values, files }: FormValues): unknown {
  if (files.length === 0) return values
  const form = new FormData()
  form.append('data', JSON.stringify(values))
  for (const [name, file] of files) form.append(name, file)
  return form
}

/** Puts what is wrong at its fields. @returns what belongs to none, in words */
export function complain ({ violations, message }: RefusedError, drafts: readonly Draft[]): string {
  if (violations.length === 0) return message
  const texts = new Map<string, string[]>()
  const others: string[] = []
  const draftOf = (property: string): Draft | undefined =>
    drafts.find(({ properties }) => properties.includes(property))
  for (const { property, message: text } of violations) {
    if (property === undefined || draftOf(property) === undefined) others.push([property, text].filter(Boolean).join(' '))
    else texts.set(property, [...texts.get(property) ?? [], text])
  }
  batch(() => {
    for (const [property, all] of texts) {
      const draft = draftOf(property) as Draft
      draft.errors.value = { ...draft.errors.peek(), [property]: `${property} ${all.join('; ')}` }
    }
  })
  const count = texts.size
  return [count === 0 ? '' : `${count === 1 ? 'One field is' : `${count} fields are`} not right.`, ...others]
    .filter(text => text !== '').join(' ')
}
