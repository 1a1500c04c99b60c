/** `fastback migrate --row-security`: what separates the policies of the tables from the rules of the models. */
import type {
  PlannedChange, PlannedPolicies, PolicySupport, RowPolicy, StoredModel, UnsaidPolicy
} from '@fastback/core'
import type { Connection } from '../dialects/driver.js'
import { migrationLock } from '../migration/migrator.js'
import { noOptions, type OperationRunner } from '../operation-runner.js'
import type { Table } from '../tables/table.js'
import { closedSchemas, closedSequences, ownFunctions, securedTable, type SecuredTable } from './catalogue.js'
import { policyStatements, type PolicyStatement } from './policy-statements.js'
import { PolicySql, Unsaid } from './policy-sql.js'

/**
 * @param role that callers have; undefined: none of their own, and policies are for others who work on the tables
 */
export const policiesOf = (runner: OperationRunner, role: string | undefined): PolicySupport => ({
  async plan (models, policies) {
    if (models.length === 0) return { changes: [], unsaid: [] }
    return await runner.together(models, noOptions, (connection, tables) =>
      new PolicyPlan(connection, role, models, tables).of(policies)) as PlannedPolicies
  },
  async apply (models, changes) {
    const statements = changes.flatMap(({ statements }) => statements)
    await runner.migrateTogether(models, async inTransaction => {
      await inTransaction(async connection => {
        await connection.takeTime()
        await connection.lock(migrationLock)
        for (const statement of statements) await connection.execute(statement)
      })
    })
  }
})

type Kind = PlannedChange['kind']

interface Held { readonly model: StoredModel, readonly table: Table, readonly found: SecuredTable }

class PolicyPlan {
  readonly #changes: PlannedChange[] = []
  readonly #unsaid: UnsaidPolicy[] = []
  readonly #sql: PolicySql
  readonly #schemas = new Map<Table, string>()

  constructor (
    readonly connection: Connection, readonly role: string | undefined, readonly models: readonly StoredModel[],
    readonly tables: readonly Table[]
  ) {
    this.#sql = new PolicySql(table => this.#schemas.get(table) as string)
  }

  async of (policies: readonly RowPolicy[]): Promise<PlannedPolicies> {
    const { connection, role, models, tables } = this
    const held: Held[] = []
    for (const [i, table] of tables.entries()) {
      const found = await securedTable(connection, table, role)
      this.#schemas.set(table, found.schema)
      held.push({ model: models[i] as StoredModel, table, found })
    }
    const schemas = [...new Set(held.map(({ found }) => found.schema))]
    if (role !== undefined) await this.#grant(held, schemas, role)
    const wanted = new Map<string, readonly PolicyStatement[]>()
    for (const each of held) {
      const policy = policies.find(({ model }) => model === each.model)
      if (policy !== undefined) this.#say(each, held, policy, wanted)
    }
    await this.#functions(schemas, () => {
      for (const { model, found } of unique(held)) this.#bring(model, found, wanted.get(found.oid))
    })
    return { changes: this.#changes, unsaid: this.#unsaid }
  }

  #say (each: Held, held: readonly Held[], policy: RowPolicy, wanted: Map<string, readonly PolicyStatement[]>): void {
    const { model, table, found } = each
    const others = held.filter(other => other !== each && other.found.oid === found.oid)
    try {
      if (!found.isTable) throw new Unsaid('is a view, which has no policies')
      if (others.length > 0) throw new Unsaid(`shares its table with "${(others[0] as Held).model.name}"`)
      if (found.isOwnedByRole) throw new Unsaid(`has a table that the role "${this.role ?? ''}" owns, whom policies do not bind`)
      wanted.set(found.oid, policyStatements(this.#quoted(found), policy, test => this.#sql.of(test, table)))
    } catch (error) {
      if (!(error instanceof Unsaid)) throw error
      this.#unsaid.push({ model: model.name, why: error.message })
    }
  }

  /** What a role needs that works on the tables: whose rows it gets is said by the policies. */
  async #grant (held: readonly Held[], schemas: readonly string[], role: string): Promise<void> {
    const { connection } = this
    const to = this.#quote(role)
    const [{ model }] = held as [Held]
    for (const schema of await closedSchemas(connection, schemas, role)) {
      this.#add('grant', model, schema, [`GRANT USAGE ON SCHEMA ${this.#quote(schema)} TO ${to}`])
    }
    for (const { model, found } of unique(held).filter(({ found }) => found.lacksGrants)) {
      this.#add('grant', model, found.name, [`GRANT SELECT, INSERT, UPDATE, DELETE ON ${this.#quoted(found)} TO ${to}`])
    }
    for (const { model, table, found } of unique(held)) {
      const sequences = table.columns.flatMap(({ sequence }) => sequence ?? [])
      for (const sequence of await closedSequences(connection, sequences, role)) {
        this.#add('grant', model, found.name, [`GRANT USAGE, SELECT, UPDATE ON SEQUENCE ${sequence} TO ${to}`])
      }
    }
  }

  /** Those that are missing come before the policies, and those that nobody asks any more behind them. */
  async #functions (schemas: readonly string[], policies: () => void): Promise<void> {
    const there = await ownFunctions(this.connection, schemas)
    const wanted = this.#sql.functions
    const quoted = ({ schema, name }: { schema: string, name: string }): string => `${this.#quote(schema)}.${name}`
    for (const [key, { model, name, body, create }] of wanted) {
      if (there.some(each => quoted(each) === key && each.body === body && each.isSafe)) continue
      this.#add('create function', model, name, [create])
    }
    policies()
    const [model] = this.models as [StoredModel]
    for (const each of there.filter(each => !wanted.has(quoted(each)))) {
      this.#add('drop function', model, each.name, [`DROP FUNCTION ${quoted(each)} (${each.argument})`])
    }
  }

  #bring (model: StoredModel, found: SecuredTable, wanted: readonly PolicyStatement[] = []): void {
    const on = this.#quoted(found)
    for (const name of found.policies.keys()) {
      if (wanted.some(each => each.name === name)) continue
      this.#add('drop policy', model, found.name, [`DROP POLICY ${this.#quote(name)} ON ${on}`], name)
    }
    for (const { name, create, comment, said } of wanted) {
      const there = found.policies.get(name)
      if (there?.said === `${said} ${there?.is ?? ''}`) continue
      const drop = there === undefined ? [] : [`DROP POLICY ${this.#quote(name)} ON ${on}`]
      this.#add('create policy', model, found.name, [...drop, create, comment], name)
    }
    if (wanted.length > 0 && !found.isSecured) {
      this.#add('enable row security', model, found.name, [`ALTER TABLE ${on} ENABLE ROW LEVEL SECURITY`])
    }
    if (wanted.length === 0 && found.isSecured && found.policies.size > 0 && !found.hasOtherPolicies) {
      this.#add('disable row security', model, found.name, [`ALTER TABLE ${on} DISABLE ROW LEVEL SECURITY`])
    }
  }

  #add (kind: Kind, { name: model }: Pick<StoredModel, 'name'>, table: string, statements: string[], name?: string): void {
    const isOfTable = kind !== 'grant' && kind !== 'create function' && kind !== 'drop function'
    this.#changes.push({
      kind,
      model,
      table,
      columns: [],
      ...name === undefined ? {} : { name },
      statements,
      lock: isOfTable ? 'ACCESS EXCLUSIVE' : 'none',
      blocks: isOfTable ? 'reads and writes' : 'nothing',
      rows: 0
    })
  }

  readonly #quote = (name: string): string => (this.tables[0] as Table).dialect.quote(name)

  #quoted ({ schema, name }: SecuredTable): string {
    return `${this.#quote(schema)}.${this.#quote(name)}`
  }
}

/** One for each table. */
const unique = (held: readonly Held[]): Held[] =>
  held.filter(({ found: { oid } }, i) => held.findIndex(other => other.found.oid === oid) === i)
