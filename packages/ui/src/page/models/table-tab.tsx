/** The table as the database has it, and what `fastback migrate` would change. */
import type { DatabaseTable } from '../../contracts/models.js'
import { Empty } from '../components/empty.js'
import { Notice } from '../components/notice.js'
import { Refused } from '../components/refused.js'
import { Skeleton } from '../components/skeleton.js'
import { useResource } from '../components/use-resource.js'
import { useUi } from '../ui.js'

export function TableTab ({ model }: { readonly model: string }) {
  const { server } = useUi()
  const { value: table, error, reload } = useResource(() => server.get<DatabaseTable>('database.json', { model }), [model])
  if (error !== undefined) return <Refused error={error} onRetry={reload}/>
  if (table === undefined) return <Skeleton/>
  const { none, exists, columns = [], pending = [] } = table
  if (none !== undefined) return <Empty icon="database" title={none}/>
  return (
    <div class="database">
      {exists === false && <Notice kind="warning">The table <code>{table.table}</code> is not there yet.</Notice>}
      {pending.length === 0
        ? exists !== false && <Notice kind="good">The table <code>{table.table}</code> is as the model says.</Notice>
        : (
          <section aria-label="What migrate would do">
            <h3>What <code>fastback migrate</code> would do</h3>
            <ol class="pending">
              {pending.map(({ change, statements, destructive }) => (
                <li key={change} class="card">
                  <p>{change} {destructive && <span class="chip bad">values would be lost</span>}</p>
                  <pre class="code" tabIndex={0} role="region" aria-label={change}>{statements.join(';\n')}</pre>
                </li>
              ))}
            </ol>
          </section>
          )}
      {columns.length > 0 && (
        <table class="facts-table">
          <thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">Property</th><th scope="col">What holds</th></tr></thead>
          <tbody>
            {columns.map(({ name, type, nullable, primaryKey, property }) => (
              <tr key={name}>
                <th scope="row"><code>{name}</code></th><td><code>{type}</code></td><td>{property ?? <span class="quiet-text">none</span>}</td>
                <td class="chips">
                  {primaryKey && <span class="chip accent">primary key</span>}{!nullable && <span class="chip">not null</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
