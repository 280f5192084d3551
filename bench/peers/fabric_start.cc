// fabric_start N: the minimum of work before a job over libfabric can begin. N
// processes are started together. Each process loads the library, opens one
// endpoint and one queue, and receives the addresses of all processes.
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Name = std::array<char, 128>;

void Check(bool done, const char* what) {
  if (done) return;
  fprintf(stderr, "fabric_start: %s\n", what);
  _exit(1);
}

fi_info* Choose() {
  fi_info* const hints = fi_allocinfo();
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR |
                                FI_MR_ALLOCATED | FI_MR_PROV_KEY |
                                FI_MR_ENDPOINT;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->fabric_attr->prov_name = strdup("tcp;ofi_rxm");
  fi_info* info = nullptr;
  Check(fi_getinfo(FI_VERSION(1, 17), "127.0.0.1", nullptr, FI_SOURCE, hints,
                   &info) == 0,
        "no provider tcp;ofi_rxm");
  return info;
}

// Runs one of the processes: sends its address and receives all addresses.
void Run(int socket, size_t processes) {
  fi_info* const info = Choose();
  fid_fabric* fabric = nullptr;
  fid_domain* domain = nullptr;
  fid_cq* queue = nullptr;
  fid_av* vector = nullptr;
  fid_ep* endpoint = nullptr;
  fi_cq_attr queue_is = {};
  queue_is.format = FI_CQ_FORMAT_DATA;
  queue_is.wait_obj = FI_WAIT_FD;
  fi_av_attr vector_is = {};
  vector_is.type = FI_AV_TABLE;
  Check(fi_fabric(info->fabric_attr, &fabric, nullptr) == 0 &&
            fi_domain(fabric, info, &domain, nullptr) == 0 &&
            fi_cq_open(domain, &queue_is, &queue, nullptr) == 0 &&
            fi_av_open(domain, &vector_is, &vector, nullptr) == 0 &&
            fi_endpoint(domain, info, &endpoint, nullptr) == 0 &&
            fi_ep_bind(endpoint, &vector->fid, 0) == 0 &&
            fi_ep_bind(endpoint, &queue->fid, FI_TRANSMIT | FI_RECV) == 0 &&
            fi_enable(endpoint) == 0,
        "no endpoint");
  Name mine = {};
  size_t size = mine.size();
  Check(fi_getname(&endpoint->fid, mine.data(), &size) == 0, "no address");
  Check(write(socket, mine.data(), mine.size()) == ssize_t{mine.size()},
        "an address is not taken");
  for (size_t i = 0; i < processes; ++i) {
    Name name;
    Check(recv(socket, name.data(), name.size(), MSG_WAITALL) ==
              ssize_t{name.size()},
          "an address does not come");
    fi_addr_t peer;
    Check(fi_av_insert(vector, name.data(), 1, &peer, 0, nullptr) == 1,
          "an address is refused");
  }
}

// Starts each process with exec, since each must load the library itself.
int Start(const char* program, size_t processes) {
  std::vector<int> sockets;
  for (size_t i = 0; i < processes; ++i) {
    int pair[2];
    Check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0,
          "no sockets");
    if (fork() == 0) {
      const int end = dup(pair[1]);
      execl(program, program, std::to_string(processes).c_str(),
            std::to_string(end).c_str(), nullptr);
      Check(false, "it cannot be started again");
    }
    close(pair[1]);
    sockets.push_back(pair[0]);
  }
  std::vector<Name> names(processes);
  for (size_t i = 0; i < processes; ++i) {
    Check(recv(sockets[i], names[i].data(), names[i].size(), MSG_WAITALL) ==
              static_cast<ssize_t>(names[i].size()),
          "a process has no address");
  }
  const size_t bytes = processes * sizeof(Name);
  for (const int socket : sockets) {
    Check(write(socket, names.data(), bytes) == static_cast<ssize_t>(bytes),
          "the addresses are not taken");
  }
  bool good = true;
  for (size_t i = 0; i < processes; ++i) {
    int status = 0;
    good &= wait(&status) > 0 && status == 0;
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int processes = argc > 1 ? atoi(argv[1]) : 0;
  Check(processes > 0 && processes <= 1024, "usage: fabric_start 1..1024");
  if (argc == 2) return Start("/proc/self/exe", processes);
  Run(atoi(argv[2]), processes);
  _exit(0);
}
