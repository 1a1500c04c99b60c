/** Ids of pg-boss are UUIDs. */
import { sha256 } from '@fastback/core/connector'
import type { Schedule } from '../job-store.js'

/** The same in all processes: who sends the job of a time second finds it there. */
export function uuidOfTick (queue: string, { cron, timeZone }: Schedule, at: Date): string {
  const hex = sha256(JSON.stringify([queue, cron, timeZone, at.getTime()]), 'hex')
  // Version 8 of UUIDs is for digests of one's own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
