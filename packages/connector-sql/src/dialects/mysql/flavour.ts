/** What differs between MySQL and MariaDB. Known once a connection is open. */
export interface Flavour {
  readonly isMariaDb: boolean
  /** Compares texts character by character, blanks at the end included. */
  readonly collation: string
}

/** A server before anybody asked it. */
export class Server {
  flavour: Flavour = { isMariaDb: true, collation: 'utf8mb4_nopad_bin' }

  learn (version: string): void {
    const isMariaDb = /mariadb/i.test(version)
    this.flavour = { isMariaDb, collation: isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin' }
  }
}
