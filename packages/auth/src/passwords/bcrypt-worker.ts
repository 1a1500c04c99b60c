/** Compares one password with a bcrypt hash and tells the result. */
import { parentPort, workerData } from 'node:worker_threads'
import bcrypt from 'bcryptjs'

const { password, hash } = workerData as { password: string, hash: string }
parentPort?.postMessage(bcrypt.compareSync(password, hash))
