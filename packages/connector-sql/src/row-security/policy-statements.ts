/** The statements that make the policies of one table. */
import { sha256 } from '@fastback/core/connector'
import type { PolicyTest, RowPolicy } from '@fastback/core'
import { quoteText } from '../dialects/postgres/quote.js'
import { ownPrefix, policyDigest } from './catalogue.js'

export interface PolicyStatement {
  readonly name: string
  readonly create: string
  /** Keeps in the database what was made, and what that came to. */
  readonly comment: string
  /** What the comment begins with. */
  readonly said: string
}

/**
 * One for each thing that is done to rows. They are for everybody whom policies bind: who owns the table is not.
 * @param on the table, in quotes
 * @param sqlOf the SQL of a test
 */
export function policyStatements (
  on: string, { select, insert, update, changed, delete: gone }: RowPolicy, sqlOf: (test: PolicyTest) => string
): PolicyStatement[] {
  return [
    statement(on, 'select', `USING (${sqlOf(select)})`),
    statement(on, 'insert', `WITH CHECK (${sqlOf(insert)})`),
    statement(on, 'update', `USING (${sqlOf(update)}) WITH CHECK (${sqlOf(changed)})`),
    statement(on, 'delete', `USING (${sqlOf(gone)})`)
  ]
}

function statement (on: string, action: string, clause: string): PolicyStatement {
  const name = `${ownPrefix}${action}`
  const create = `CREATE POLICY ${name} ON ${on} FOR ${action.toUpperCase()} ${clause}`
  const said = `fastback ${sha256(create, 'hex').slice(0, 32)}`
  const look = `SELECT ${policyDigest} FROM pg_policy p WHERE p.polrelid = ${quoteText(on).trim()}::regclass AND p.polname = '${name}'`
  const make = `format('COMMENT ON POLICY ${name} ON %s IS %L', ${quoteText(on).trim()}, ${quoteText(`${said} `).trim()} || (${look}))`
  return { name, create, said, comment: `DO ${quoteText(`BEGIN EXECUTE ${make}; END`).trim()}` }
}
