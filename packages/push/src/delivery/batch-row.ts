/** A row of the outbox. */
import type { Row } from '@fastback/core'

/** A row of `PushBatch` that was taken. */
export interface BatchRow {
  readonly id: unknown
  readonly notificationId: string
  readonly lease: string
  readonly attempts: number
  readonly appId?: string
  readonly deviceType?: string
  readonly where?: object | null
  readonly cursor?: string | null
  readonly installationIds?: readonly string[] | null
  readonly deviceTokens?: readonly string[] | null
  readonly done?: readonly number[] | null
  readonly failures?: readonly Row[] | null
}
