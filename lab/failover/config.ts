/**
 * Configuration of a failover cluster: PostgreSQL under Patroni with etcd, behind HAProxy and PgBouncer. `npm run
 * failover` uses this configuration on one machine, and `npm run failover -- configure` writes it for several.
 */
import { randomBytes } from 'node:crypto'

export interface ClusterNode {
  name: string
  /** Address for connections from the other nodes and HAProxy. */
  host: string
  postgresPort: number
  /** Port of Patroni's API, which reports whether the node is the primary. */
  restPort: number
  dataDir: string
  socketDir: string
}

export interface EtcdMember {
  name: string
  host: string
  clientPort: number
  peerPort: number
  dataDir: string
}

export interface Cluster {
  nodes: readonly ClusterNode[]
  etcd: readonly EtcdMember[]
  haproxy: { host: string; primaryPort: number; standbyPort: number }
  pgbouncer: { host: string; port: number; authFile: string; socketDir: string }
  bin: string
  passwords: { superuser: string; replication: string; plaza: string }
  /** Addresses that may connect to PostgreSQL, in the syntax of pg_hba.conf. */
  network: string
}

export function newPasswords(): Cluster['passwords'] {
  const password = () => randomBytes(24).toString('hex')
  return { superuser: password(), replication: password(), plaza: password() }
}

/** Patroni's `ttl`: seconds without contact to etcd after which the primary loses its role. */
export const LEADER_TTL_S = 20

export function etcdArguments(cluster: Cluster, member: EtcdMember): string[] {
  const client = `http://${member.host}:${member.clientPort}`
  const peer = `http://${member.host}:${member.peerPort}`
  const everyone = cluster.etcd.map((node) => `${node.name}=http://${node.host}:${node.peerPort}`)
  return [
    `--name=${member.name}`,
    `--data-dir=${member.dataDir}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${everyone.join(',')}`,
    '--initial-cluster-state=new',
    '--initial-cluster-token=plaza',
    '--enable-v2=true',
  ]
}

export function patroniYaml(cluster: Cluster, node: ClusterNode): string {
  const { passwords, network } = cluster
  const etcd = cluster.etcd.map(({ host, clientPort }) => `${host}:${clientPort}`)
  return `scope: plaza
name: ${node.name}

restapi:
  listen: ${node.host}:${node.restPort}
  connect_address: ${node.host}:${node.restPort}

# Version 2 of etcd's API: with version 3, Patroni before 3.0.3 makes a resumed node primary again
# after a standby was promoted, and the writes of the new primary are lost.
etcd:
  hosts: [${etcd.join(', ')}]

bootstrap:
  # Read only when the cluster is created. Later changes: patronictl edit-config.
  dcs:
    # A primary without contact for this many seconds is replaced.
    ttl: ${LEADER_TTL_S}
    loop_wait: 3
    retry_timeout: 5
    # A primary whose PostgreSQL crashed is replaced immediately instead of restarted.
    primary_start_timeout: 0
    # A commit is acknowledged once a standby has it on disk too. Only that standby can be promoted.
    # Strict: without a standby no commit is acknowledged.
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 100
        wal_log_hints: 'on'
        # WAL that is kept so that a node can catch up without a new copy.
        wal_keep_size: 1GB
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums

postgresql:
  listen: ${node.host}:${node.postgresPort}
  connect_address: ${node.host}:${node.postgresPort}
  data_dir: ${node.dataDir}
  bin_dir: ${cluster.bin}
  pgpass: ${node.dataDir}.pgpass
  authentication:
    superuser: {username: postgres, password: ${passwords.superuser}}
    replication: {username: replicator, password: ${passwords.replication}}
  parameters:
    unix_socket_directories: ${node.socketDir}
    password_encryption: scram-sha-256
  pg_hba:
    - local all postgres scram-sha-256
    - host all all ${network} scram-sha-256
    - host replication replicator ${network} scram-sha-256
`
}

/**
 * Returns the configuration of HAProxy, with one port for the primary and one for the standbys. HAProxy checks each
 * node's role every second, and closes the connections to a node that has lost its role.
 */
export function haproxyConfig({ haproxy, nodes }: Cluster): string {
  const servers = nodes.map(
    ({ name, host, postgresPort, restPort }) =>
      `  server ${name} ${host}:${postgresPort} check port ${restPort}`,
  )
  const checks = `  http-check expect status 200
  timeout check 1s
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}`
  return `global
  maxconn 1000

defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout queue 2s

listen primary
  bind ${haproxy.host}:${haproxy.primaryPort}
  option httpchk OPTIONS /primary
${checks}

listen standbys
  bind ${haproxy.host}:${haproxy.standbyPort}
  balance leastconn
  # Standbys that lag further behind receive no connections.
  option httpchk OPTIONS /replica?lag=16MB
${checks}
`
}

export function pgbouncerConfig({ haproxy, pgbouncer }: Cluster): string {
  const { host, primaryPort, standbyPort } = haproxy
  return `[databases]
plaza = host=${host} port=${primaryPort} dbname=plaza
plaza_standby = host=${host} port=${standbyPort} dbname=plaza

[pgbouncer]
listen_addr = ${pgbouncer.host}
listen_port = ${pgbouncer.port}
unix_socket_dir = ${pgbouncer.socketDir}
auth_type = scram-sha-256
auth_file = ${pgbouncer.authFile}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 40
; Without a primary a statement fails after this many seconds. The next one tries again immediately.
query_wait_timeout = 4
server_connect_timeout = 3
server_login_retry = 1
server_lifetime = 600
`
}

export function pgbouncerUsers({ passwords }: Cluster): string {
  return `"plaza" "${passwords.plaza}"\n`
}

export function databaseSql({ passwords }: Cluster): string[] {
  return [
    `create role plaza login password '${passwords.plaza}'`,
    'create database plaza owner plaza',
    // Sets limits for the role instead of the session, because clients share PgBouncer's connections.
    `alter role plaza set statement_timeout = '15s'`,
    `alter role plaza set idle_in_transaction_session_timeout = '30s'`,
  ]
}

export function databaseUrl({ pgbouncer, passwords }: Cluster): string {
  const { host, port } = pgbouncer
  return `postgres://plaza:${passwords.plaza}@${host}:${port}/plaza?pgbouncer=true`
}

export function replicaUrl(cluster: Cluster): string {
  return databaseUrl(cluster).replace('/plaza?', '/plaza_standby?')
}
