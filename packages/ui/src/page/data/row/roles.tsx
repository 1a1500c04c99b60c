/** The roles of a user: given and taken by rows of RoleMapping, where they are published and the caller may. */
import { useEffect, useState } from 'preact/hooks'
import { RefusedError } from '../../api/client.js'
import { Skeleton } from '../../components/skeleton.js'
import { useData, type Data } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'

/** Roles that are shown at once. */
const most = 200

/** Nothing for rows of models that are no user models. */
export function Roles ({ model, row }: { readonly model: DataModel, readonly row: Row }) {
  const { facts: { principalType, id } } = model
  if (principalType === undefined || id === undefined) return null
  return (
    <section class="pane-section" aria-label="Roles">
      <h3>Roles</h3>
      <RoleList key={String(valueOf(row, id))} type={principalType} id={String(valueOf(row, id))}/>
    </section>
  )
}

interface Given {
  readonly roles: readonly Row[]
  /** Mappings by the ids of their roles. */
  readonly mappings: ReadonlyMap<string, Row>
}

async function read ({ api, models: { role, mapping } }: Data, where: object): Promise<Given | undefined> {
  if (role?.find === undefined || mapping?.find === undefined) return undefined
  const [roles, mappings] = await Promise.all([
    api.call(role.find, { query: { filter: { order: 'name ASC', limit: most } } }),
    api.call(mapping.find, { query: { filter: { where } } })
  ])
  return {
    roles: roles.value as Row[],
    mappings: new Map((mappings.value as Row[]).map(row => [String(valueOf(row, 'roleId')), row]))
  }
}

function RoleList ({ type, id }: { readonly type: string, readonly id: string }) {
  const data = useData()
  const where = { principalType: type, principalId: id }
  const [given, setGiven] = useState<Given | undefined>(undefined)
  const [said, setSaid] = useState('')
  useEffect(() => {
    read(data, where).then(found => {
      if (found === undefined) {
        setSaid('Roles cannot be given here: the API does not publish Role and RoleMapping. Publish them, with rules that let administrators in.')
      } else setGiven(found)
    }, (error: unknown) => {
      setSaid(error instanceof RefusedError && error.isForbidden
        ? 'You may not read roles, so they cannot be given here.'
        : `The roles could not be read: ${(error as Error).message}`)
    })
  }, [])
  if (said !== '') return <p class="quiet-text">{said}</p>
  if (given === undefined) return <Skeleton lines={2}/>
  if (given.roles.length === 0) return <p class="quiet-text">There are no roles yet.</p>
  const set = (role: string, mapping: Row | undefined): void => {
    setGiven(before => {
      if (before === undefined) return before
      const mappings = new Map(before.mappings)
      if (mapping === undefined) mappings.delete(role)
      else mappings.set(role, mapping)
      return { ...before, mappings }
    })
  }
  return (
    <ul class="roles">
      {given.roles.map((role, index) => (
        <RoleLine key={index} role={role} given={given} where={where} data={data} set={set}/>
      ))}
    </ul>
  )
}

function RoleLine ({ role, given, where, data, set }: {
  readonly role: Row
  readonly given: Given
  readonly where: Readonly<Record<string, string>>
  readonly data: Data
  readonly set: (role: string, mapping: Row | undefined) => void
}) {
  const { api, models, toasts } = data
  /** What the box is to be, until it is so. */
  const [wanted, setWanted] = useState<boolean | undefined>(undefined)
  const isBusy = wanted !== undefined
  const roleId = valueOf(role, models.role?.facts.id ?? 'id')
  const [key, name] = [String(roleId), String(valueOf(role, 'name'))]
  const mapping = given.mappings.get(key)
  const { create, remove, facts } = models.mapping as DataModel
  const change = async (): Promise<void> => {
    if (mapping === undefined && create !== undefined) {
      const { value } = await api.call(create, { body: { ...where, roleId } })
      set(key, value as Row)
      toasts.tell(`The role ${name} was given.`)
    } else if (mapping !== undefined && remove !== undefined) {
      await api.call(remove, { id: valueOf(mapping, facts.id ?? 'id') })
      set(key, undefined)
      toasts.tell(`The role ${name} was taken.`)
    }
  }
  const about = valueOf(role, 'description')
  return (
    <li>
      <label class="check">
        <input
          type="checkbox" checked={wanted ?? mapping !== undefined} disabled={isBusy || !(mapping === undefined ? api.may(create) : api.may(remove))}
          onChange={({ currentTarget }) => {
            setWanted(currentTarget.checked)
            change().catch((error: unknown) => { toasts.fail(error) }).finally(() => {
              setWanted(undefined)
              window.requestAnimationFrame(() => { currentTarget.focus() })
            })
          }}
        /> {name}
      </label>
      {typeof about === 'string' && <span class="kind">{about}</span>}
    </li>
  )
}
