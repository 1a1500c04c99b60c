/** The official driver, loaded when the first data source connects. */
import type { Decimal128, Document, Long, MongoClient, ObjectId } from 'mongodb'
import { caused, DriverError } from './errors.js'

export type { ClientSession, Collection, Db, Document, FindCursor, MongoClient } from 'mongodb'

/** The module `mongodb`. */
export type Driver = typeof import('mongodb')

/** What models have for ids. Others may have stored anything else. */
export type StoredId = ObjectId | Long | Decimal128 | string | number

export interface Stored extends Document { _id: StoredId }

/** @throws FBK_MONGODB_DRIVER where the package is not installed */
export async function loadDriver (): Promise<Driver> {
  try {
    return await import('mongodb')
  } catch (error) {
    throw caused(new DriverError(), error)
  }
}

/** Whether the server that a client is connected to keeps several copies, so that it has transactions. */
export async function isReplicated (client: MongoClient): Promise<boolean> {
  const hello = await client.db('admin').command({ hello: 1 })
  return hello.setName !== undefined || hello.msg === 'isdbgrid'
}
