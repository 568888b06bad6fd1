import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the running processes with their command lines and CPU times (proc_pid_stat(5), proc_pid_cmdline(5)). The
 * times of the process, and of its ended children, are in hundredths of a second.
 */
export function listProcesses() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const words = readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0')
      // The program's name in parentheses precedes the other fields and may contain spaces.
      const fields = stat
        .slice(stat.lastIndexOf(') ') + 2)
        .split(' ')
        .map(Number)
      const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
      const times = { own: utime + stime, ended: cutime + cstime }
      return [{ pid: Number(name), parent: fields[1], words, ...times }]
    } catch {
      // The process ended after it was listed.
      return []
    }
  })
}
