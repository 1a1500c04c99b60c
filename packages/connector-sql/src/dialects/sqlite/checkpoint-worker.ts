/**
 * A thread that writes the log of a SQLite file back into the file, on a connection of its own. What it does and why:
 * `checkpointer.ts`.
 */
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { checkpoint, type LogState } from './checkpoint.js'
import type { FromWorker, ToWorker, WorkerSettings } from './checkpointer.js'
import { driverAt, type SqliteDatabase } from './driver-module.js'

/** Pages that were left to a pass at most so that the next one is done while nobody writes. */
const shortPass = 256
/** Passes one after the other: each has what was written during the one before it. */
const mostPasses = 4

class CheckpointWorker {
  #database: SqliteDatabase | undefined

  constructor (readonly settings: WorkerSettings, readonly say: (message: FromWorker) => void) {}

  hear (message: ToWorker): void {
    try {
      // The last pass. Where all is in the file, the next who writes begins the log anew.
      if (message === 'held') this.say(this.#checkpoint())
      else if (message === 'begin') this.#begin()
    } catch (error) {
      this.say({ failed: String(error) })
    }
  }

  /** Passes that keep nobody from writing, until little is left. */
  #begin (): void {
    let before = 0
    for (let pass = 0; pass < mostPasses; pass++) {
      const state = this.#checkpoint()
      const { pages, written } = state
      if (written === pages) break
      // Somebody reads an old state of the file, or writes it back just now.
      if (written <= before) {
        this.say(state)
        return
      }
      const copied = written - before
      before = written
      if (pass > 0 && copied <= shortPass) break
    }
    this.say('hold')
  }

  #checkpoint (): LogState {
    return checkpoint(this.#database ??= this.#open())
  }

  #open (): SqliteDatabase {
    const database = driverAt(this.settings.driver, createRequire(import.meta.url)).open(this.settings.file)
    // It writes nothing but what others have committed, and needs no page twice.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 10')
    return database
  }

  close (): void {
    this.#database?.close()
  }
}

const port = parentPort
if (port !== null) {
  const worker = new CheckpointWorker(workerData as WorkerSettings, message => { port.postMessage(message) })
  port.on('message', (message: ToWorker) => {
    if (message !== 'close') worker.hear(message)
    else {
      worker.close()
      port.close()
    }
  })
}
