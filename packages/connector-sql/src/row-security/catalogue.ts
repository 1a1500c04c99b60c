/** Policies and what belongs to them, as they stand in a PostgreSQL database. */
import type { Connection } from '../dialects/driver.js'
import { tableName } from '../tables/naming.js'
import type { Table } from '../tables/table.js'

/** Names of what is made here begin with it: nothing else is changed. */
export const ownPrefix = 'fastback_'

/** A table as policies see it. */
export interface SecuredTable {
  readonly oid: string
  readonly schema: string
  readonly name: string
  /** Whether it is one that can have policies: a view has none. */
  readonly isTable: boolean
  readonly isSecured: boolean
  /** Whether the role may not do all that models do. */
  readonly lacksGrants: boolean
  /** Whether policies do not bind the role: it owns the table. */
  readonly isOwnedByRole: boolean
  /** Own policies, with what their comments say and what the database says of them. */
  readonly policies: ReadonlyMap<string, { readonly said: string, readonly is: string }>
  readonly hasOtherPolicies: boolean
}

export interface OwnFunction {
  readonly schema: string
  readonly name: string
  readonly argument: string
  readonly body: string
  /** Whether it runs as its owner, with a search path of its own. */
  readonly isSafe: boolean
}

/** What a policy comes to in the database, as a text: another one where somebody has changed it. */
export const policyDigest = `md5(concat_ws('/', p.polcmd, p.polpermissive, p.polroles::text,
  pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)))`

const findTables = `SELECT c.oid, n.nspname, c.relname, c.relkind IN ('r', 'p'), c.relrowsecurity,
    CASE WHEN $3::text IS NULL THEN false ELSE NOT (has_table_privilege($3::text, c.oid, 'SELECT') AND has_table_privilege($3::text, c.oid, 'INSERT')
      AND has_table_privilege($3::text, c.oid, 'UPDATE') AND has_table_privilege($3::text, c.oid, 'DELETE')) END,
    CASE WHEN $3::text IS NULL THEN false ELSE pg_has_role($3::text, c.relowner, 'USAGE') END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = coalesce($2::text, current_schema()) AND c.relname = $1::text AND c.relkind IN ('r', 'p', 'f', 'v', 'm')`

const findPolicies = `SELECT p.polname, coalesce(obj_description(p.oid, 'pg_policy'), ''), ${policyDigest}
  FROM pg_policy p WHERE p.polrelid = $1::oid`

const findFunctions = `SELECT n.nspname, p.proname, pg_get_function_identity_arguments(p.oid), p.prosrc,
    p.prosecdef AND p.proconfig = ARRAY['search_path=pg_catalog, pg_temp']
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY($1::text[]) AND starts_with(p.proname, 'fastback_rows_') ORDER BY 1, 2`

const isTrue = (raw: unknown): boolean => raw === 't'

/** @param role that is to work on the table; undefined: nobody is */
export async function securedTable (
  connection: Connection, { model, name, dialect }: Table, role: string | undefined
): Promise<SecuredTable> {
  const { schema: wanted } = tableName(model, dialect)
  const [found] = await connection.query(findTables, [name, wanted ?? null, role ?? null])
  const [oid, schema, own, ...rest] = found as [string, string, string, ...unknown[]]
  const [isTable, isSecured, lacksGrants, isOwnedByRole] = rest
  const policies = (await connection.query(findPolicies, [oid])) as string[][]
  const isOwn = ([name = '']: string[]): boolean => name.startsWith(ownPrefix)
  return {
    oid,
    schema,
    name: own,
    isTable: isTrue(isTable),
    isSecured: isTrue(isSecured),
    lacksGrants: isTrue(lacksGrants),
    isOwnedByRole: isTrue(isOwnedByRole),
    policies: new Map(policies.filter(isOwn).map(([name = '', said = '', is = '']) => [name, { said, is }])),
    hasOtherPolicies: policies.some(policy => !isOwn(policy))
  }
}

/** Functions that policies of these schemas ask. */
export async function ownFunctions (connection: Connection, schemas: readonly string[]): Promise<OwnFunction[]> {
  const found = await connection.query(findFunctions, [schemas]) as Array<[string, string, string, string, string]>
  return found.map(([schema, name, argument, body, isSafe]) =>
    ({ schema, name, argument, body, isSafe: isTrue(isSafe) }))
}

/** Whether the user of the connection may act as a role that policies can bind. */
export async function mayActAs (connection: Connection, role: string): Promise<boolean> {
  const found = await connection.query(
    `SELECT 1 FROM pg_roles WHERE rolname = $1::text AND NOT rolsuper AND NOT rolbypassrls
      AND pg_has_role(oid, 'MEMBER')`,
    [role])
  return found.length > 0
}

/** Schemas that a role may not look into. */
export async function closedSchemas (
  connection: Connection, schemas: readonly string[], role: string
): Promise<string[]> {
  const found = await connection.query(
    `SELECT nspname FROM pg_namespace WHERE nspname = ANY($1::text[])
      AND NOT has_schema_privilege($2::text, oid, 'USAGE')`,
    [schemas, role])
  return found.map(([name]) => String(name))
}

/** Sequences that a role may not use, of those that are named. */
export async function closedSequences (
  connection: Connection, sequences: readonly string[], role: string
): Promise<string[]> {
  const found = await connection.query(
    `SELECT name FROM unnest($1::text[]) AS names (name) WHERE NOT (has_sequence_privilege($2::text, name, 'USAGE')
      AND has_sequence_privilege($2::text, name, 'SELECT') AND has_sequence_privilege($2::text, name, 'UPDATE'))`,
    [sequences, role])
  return found.map(([name]) => String(name))
}
