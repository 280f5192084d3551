# Builds SOURCE as C and as C++ into OUT, with the library in PREFIX for MODE.
include $(PREFIX)/include/smp-conduit/smp-$(MODE).mak

MANUAL_CFLAGS = -std=c11 $(WARNINGS)
MANUAL_CXXFLAGS = -std=c++17 $(WARNINGS)
MANUAL_DEFINES = -DADDED_BY_CLIENT=1
WARNINGS = -Wall -Wextra -Wpedantic -Werror

all: $(OUT)/c $(OUT)/cc

$(OUT):
	mkdir -p $@

$(OUT)/c.o: $(SOURCE) | $(OUT)
	$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -c -o $@ $<

$(OUT)/cc.o: $(SOURCE) | $(OUT)
	$(GASNET_CXX) $(GASNET_CXXCPPFLAGS) $(GASNET_CXXFLAGS) -x c++ -c -o $@ $<

# Both are linked by the fragment's linker, whatever they are written in.
$(OUT)/c $(OUT)/cc: %: %.o
	$(GASNET_LD) $(GASNET_LDFLAGS) -o $@ $^ $(GASNET_LIBS)
