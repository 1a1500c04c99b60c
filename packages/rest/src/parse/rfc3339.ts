/**
 * RFC 3339 dates of parameters. `Date.parse` takes too much (`2020-1-1`, 30 February, local times), and `ajv-formats`,
 * which checks bodies, a little (zones without a colon, leap seconds, which no `Date` holds).
 */
const fullDate = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Midnight UTC of an RFC 3339 full-date of a real day, else undefined. */
export function parseFullDate (text: string): Date | undefined {
  const match = fullDate.exec(text)
  if (match === null) return undefined
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  return isDay(year, month, day) ? instant(year, month, day, 0) : undefined
}

/** The instant of an RFC 3339 date-time with zone, to the millisecond, else undefined. Leap seconds are refused. */
export function parseDateTime (text: string): Date | undefined {
  const match = dateTime.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const zoneHour = Number(match[9] ?? 0)
  const zoneMinute = Number(match[10] ?? 0)
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) {
    return undefined
  }
  const zone = (zoneHour * 60 + zoneMinute) * (match[8] === '-' ? -1 : 1)
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  return instant(year, month, day, ((hour * 60 + minute - zone) * 60 + second) * 1000 + milliseconds)
}

function isDay (year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && leap ? 29 : monthLengths[month - 1] as number)
}

/* Not `Date.UTC`: it takes the years 0 to 99 for 1900 to 1999. */
function instant (year: number, month: number, day: number, milliseconds: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setTime(date.getTime() + milliseconds)
  return date
}
