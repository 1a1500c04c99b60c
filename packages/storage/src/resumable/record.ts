/** What is kept of an upload that may go on. */
import { sha256 } from '@fastback/core/connector'
import { knownUsersIn, type TokenOfUser } from '@fastback/core/remote'
import type { Caller } from '../access.js'
import type { StorageRequest } from '../http.js'
import { networkOf, type Users } from '../upload/client-of.js'
import type { UploadedFile } from '../upload/uploaded-file.js'

export interface UploadRecord {
  /** Whose it is, by `ownerOf`. */
  readonly owner: string
  /** The network that it comes from, where its owner has no token: a digest. */
  readonly network?: string
  readonly container: string
  /** The name that it will be stored under, and the one that the client gave. */
  readonly name: string
  readonly given: string
  /** The declared type. */
  readonly type: string
  readonly acl?: string
  /** Bytes of the whole file. */
  readonly size: number
  /** As the client gave it, to be told again. */
  readonly metadata: Readonly<Record<string, string | null>>
  /** What is stored, or about to be. */
  readonly uploaded?: UploadedFile
  /** Whether it is stored, and everybody who had to be told has been. */
  readonly isOver?: true
}

/** Code of the application, which has made its decision about everybody. */
const application = 'application'

/** Callers without a token. */
export const anybody = 'anybody'

/**
 * Whom an upload belongs to. It is kept on the disk, so that nothing in it may be used to log in. Callers without a
 * token are one: the address of an upload, which nobody can guess, is all that they have.
 */
export function ownerOf (caller: Caller | undefined, registry?: Users): string {
  if (caller === undefined) return application
  const { principal } = caller
  if (principal === undefined) return anybody
  const { userId, principalType, id } = principal
  const who = userId === undefined || userId === null
    ? { token: String(id) }
    : { userId: String(userId), principalType: modelOf(principal, registry) ?? principalType }
  return sha256(JSON.stringify(who))
}

/** The user model of a token, where several have users. */
function modelOf (token: TokenOfUser, registry: Users | undefined): string | undefined {
  if (registry === undefined) return undefined
  const users = knownUsersIn(registry)
  return users.models().length > 1 ? users.modelOf(token) : undefined
}

/** A network as records have it: on the disk it says nothing of whom it is. */
export const networkDigest = (req: StorageRequest): string =>
  sha256(`network ${networkOf(req)}`)

/** Whether a caller may go on with an upload. */
export const isOwner = (record: UploadRecord, caller: Caller | undefined, registry?: Users): boolean =>
  caller === undefined || record.owner === ownerOf(caller, registry)

/** A record, or undefined for one that a killed process left half-written. */
export function parseRecord (text: string): UploadRecord | undefined {
  try {
    return JSON.parse(text) as UploadRecord
  } catch {
    return undefined
  }
}
