import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Cluster,
  databaseSql,
  databaseUrl,
  etcdArguments,
  haproxyConfig,
  newPasswords,
  patroniYaml,
  pgbouncerConfig,
  pgbouncerUsers,
  replicaUrl,
} from './config.ts'

const BIN = '/usr/lib/postgresql/15/bin'

/**
 * Writes the configuration files of a cluster, with new passwords, and returns their paths. Each host and the machine
 * with Plaza get a subfolder of `folder`. Throws when a file exists.
 */
export function writeConfiguration(folder: string, hosts: readonly string[]): string[] {
  const cluster: Cluster = {
    nodes: hosts.map((host, i) => ({
      name: `node${i + 1}`,
      host,
      postgresPort: 5432,
      restPort: 8008,
      dataDir: '/var/lib/postgresql/15/plaza',
      socketDir: '/var/run/postgresql',
    })),
    etcd: hosts.map((host, i) => ({
      name: `etcd${i + 1}`,
      host,
      clientPort: 2379,
      peerPort: 2380,
      dataDir: '/var/lib/etcd/plaza',
    })),
    haproxy: { host: '127.0.0.1', primaryPort: 5000, standbyPort: 5001 },
    pgbouncer: {
      host: '127.0.0.1',
      port: 6432,
      authFile: '/etc/pgbouncer/userlist.txt',
      socketDir: '/var/run/postgresql',
    },
    bin: BIN,
    passwords: newPasswords(),
    network: 'samenet',
  }
  const files: [string, string][] = cluster.nodes.flatMap((node, i): [string, string][] => {
    const member = cluster.etcd[i] as Cluster['etcd'][number]
    const etcd = `DAEMON_ARGS="${etcdArguments(cluster, member).join(' ')}"\n`
    return [
      [`${node.host}/etc/default/etcd`, etcd],
      [`${node.host}/etc/patroni/config.yml`, patroniYaml(cluster, node)],
    ]
  })
  const settings = [
    `DATABASE_URL=${databaseUrl(cluster)}`,
    `DATABASE_REPLICA_URL=${replicaUrl(cluster)}`,
  ]
  files.push(
    ['plaza/etc/haproxy/haproxy.cfg', haproxyConfig(cluster)],
    ['plaza/etc/pgbouncer/pgbouncer.ini', pgbouncerConfig(cluster)],
    ['plaza/etc/pgbouncer/userlist.txt', pgbouncerUsers(cluster)],
    ['plaza/environment', `${settings.join('\n')}\n`],
    ['database.sql', `${databaseSql(cluster).join(';\n')};\n`],
  )
  return files.map(([name, text]) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    return path
  })
}
